/** Jam or fold before the flop, and charts with all their bet sizes. */

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { PreflopChart } from '../src/lib/types'
import { cell, expect, isPhone, test } from './fixtures'
import { BINARY } from './server'

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

test('a chart is walked by its lines, and a flop opens as a spot', async ({ open, page }, info) => {
  const path = info.outputPath('chart.json')
  execFileSync(BINARY, ['preflop', '--stack', '6', '--flops', 'As7d2c', '--boards', '32', '--strengths', '4', '-o', path], { stdio: 'ignore' })
  const chart = JSON.parse(readFileSync(path, 'utf8')) as PreflopChart
  const entry = chart.entries.find(({ line }) => line === 'r2.5 c')
  await open('preflop')
  await page.getByRole('link', { name: 'Charts' }).click()
  await expect(page.getByText('No chart is open')).toBeVisible()
  await page.getByLabel('Open a chart or blueprint').setInputFiles(path)
  await expect(page.getByTestId('about')).toContainText(`chart.json: 6 bb, bet sizes A, 1 flop, 32 boards; exploitability ${Math.round(chart.exploitability_mbb ?? 0)} mbb/hand`)
  await expect(cell(page, 'AA')).toHaveAccessibleName(/pair of aces: /)
  await cell(page, '72o').click()
  const actions = page.getByTestId('actions')
  await expect(actions.getByRole('row').nth(1)).toContainText('−0.500')
  await actions.getByRole('row', { name: /Raise to 2.5/ }).getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'Big blind after r2.5' })).toBeVisible()
  await page.reload()
  await actions.getByRole('row', { name: /Call/ }).getByRole('link', { name: 'Flop' }).click()
  await expect(page.getByText('Pot 5 bb, 3.5 bb behind.')).toBeVisible()
  await page.getByRole('button', { name: 'Open as a spot', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: 'Set up a spot' })).toBeAttached()
  const spot = await page.evaluate(() => JSON.parse(localStorage.getItem('equipoise.spot') ?? '{}') as { ranges: { oop: string; ip: string }; tree: Record<string, unknown> })
  expect(spot.ranges).toEqual({ oop: entry?.ranges.bb, ip: entry?.ranges.sb })
  expect(spot.tree).toMatchObject({ starting_pot: 500, effective_stack: 350 })
})

test('a blueprint opens as a chart; what is none is refused', async ({ open, page }, info) => {
  await open('preflop/charts')
  const input = page.getByLabel('Open a chart or blueprint')
  const wrong = info.outputPath('wrong.eqb')
  writeFileSync(wrong, 'no blueprint')
  await input.setInputFiles(wrong)
  await expect(page.getByRole('alert')).toContainText('wrong.eqb: the file cannot be used')
  await input.setInputFiles(resolve(import.meta.dirname, '../../crates/equipoise/tests/golden/jam-1.0.eqb'))
  await expect(page.getByTestId('about')).toContainText('without EVs')
  await expect(page.getByTestId('actions')).toContainText('All-in')
  await expect(page.getByTestId('entries')).toContainText('everybody jams or folds')
  await page.goto(`${page.url().split('#')[0]}#/preflop/charts?line=q`)
  await expect(page.getByRole('alert')).toContainText('no line “q”')
})
