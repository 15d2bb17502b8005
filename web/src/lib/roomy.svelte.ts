/** Whether the window has room for both players' grids beside each other. */

const media = globalThis.matchMedia('(min-width: 1600px)')

class Roomy {
  matches = $state(media.matches)

  constructor() {
    media.addEventListener('change', (event) => (this.matches = event.matches))
  }
}

export const roomy = new Roomy()
