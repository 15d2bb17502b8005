/** Whether the server answers, as far as the last request knows. */

class Online {
  up = $state(true)
  /** How often it came back: what was asked for in vain is asked for again. */
  returns = $state(0)

  lost(): void {
    this.up = false
  }

  found(): void {
    if (this.up) return
    this.up = true
    this.returns += 1
  }
}

export const online = new Online()
