/** Jam or fold before the flop. */

import { cell, expect, isPhone, test } from './fixtures'

test('charts follow the stack, with EVs of both actions', async ({ open, page }) => {
  await open('preflop')
  const [jams, calls] = [page.getByTestId('share-0'), page.getByTestId('share-1')]
  // Known equilibria of 10 and 20 big blinds.
  await expect(jams).toHaveText('58.3 %')
  await expect(page.getByTestId('ev-0')).toHaveText('EV −0.045 bb')
  await expect(cell(page, 'AA')).toHaveAccessibleName(/pair of aces: jams 100 %; EV \+\d\.\d{3} bb/)
  await cell(page, '32o').click()
  await expect(page.getByTestId('hand')).toContainText('SB jams')
  await expect(page.getByTestId('hand').getByRole('row').nth(1)).toContainText('−0.500')
  await page.getByLabel('Stack in big blinds').fill('20')
  await expect(jams).toHaveText('40.2 %')
  if (isPhone(page)) await page.getByRole('radiogroup', { name: 'Whose chart' }).getByText('Big blind').click()
  await expect(calls).toHaveText('21.7 %')
  await page.reload()
  await expect(page.getByLabel('Stack in big blinds')).toHaveValue('20')
  await expect(page.getByText('Exploitability')).toContainText('mbb/hand')
  await page.getByLabel('Ante of each, bb').fill('0.5')
  await expect(jams).not.toHaveText('40.2 %')
  await page.getByLabel('Ante of each, bb').fill('-1')
  await expect(page.getByRole('alert')).toContainText('ante')
  await page.getByLabel('Ante of each, bb').fill('0')
})

test('for prizes a call needs more, and stacks are worth what the model says', async ({ open, page }) => {
  await open('preflop')
  await page.getByText('Prizes (ICM)').click()
  await page.getByLabel('Stacks of small and big blind, chips').fill('5000, 3000')
  await page.getByLabel('Stacks of the others, chips').fill('2000')
  const icm = page.getByTestId('icm')
  await expect(icm.getByRole('row').nth(1)).toContainText('38.393')
  await expect(icm.getByRole('row').nth(3)).toContainText('28.857')
  await expect(page.getByText(/^EVs are in the unit of the prizes/)).toContainText('ε')
  for (const table of [page.getByTestId('hand'), icm]) {
    const hidden = await table.evaluate(({ parentElement: box }) => (box ? box.scrollWidth - box.clientWidth : -1))
    expect(hidden, 'nothing is cut off').toBe(0)
  }
  await page.getByLabel('Prizes, first place first').fill('50, 60')
  await expect(page.getByRole('alert')).toContainText('larger than the one before it')
  await page.getByLabel('Prizes, first place first').fill('fifty')
  await expect(page.getByRole('alert')).toContainText('is no number')
})
