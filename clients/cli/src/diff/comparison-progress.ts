/** The progress of a comparison: a phase and how far it is; a total of 0 is unknown. */
export interface ProgressState {
  readonly phase: string
  readonly done: number
  readonly total: number
}

const labels: Record<string, string> = {
  resolve: 'Finding the commits',
  inspect: 'Looking for what differs',
  render: 'Rendering what differs',
}

/** Shows on a terminal how far a comparison is, in one line of standard error; nothing elsewhere. */
export class ComparisonProgress implements Disposable {
  #isShown = false

  show({ phase, done, total }: ProgressState): void {
    if (!process.stderr.isTTY) return
    const count = total > 0 ? ` ${done}/${total}` : ''
    process.stderr.write(`\r\u001b[K${labels[phase] ?? phase}${count}`)
    this.#isShown = true
  }

  [Symbol.dispose](): void {
    if (this.#isShown) process.stderr.write('\r\u001b[K')
  }
}
