/** The lines that a program has written to stdout so far, for input that depends on them. */
export class Replies {
  #lines: string[] = []
  #rest = ''
  #hasEnded = false
  #news = Promise.withResolvers<void>()

  /** Takes over what the program wrote. */
  push(chunk: Buffer): void {
    const lines = (this.#rest + chunk.toString('latin1')).split('\n')
    this.#rest = lines.pop() ?? ''
    this.#lines.push(...lines)
    this.#tell()
  }

  /** Says that nothing more comes. */
  end(): void {
    this.#hasEnded = true
    this.#tell()
  }

  /** Waits for the next lines of ASCII; fewer when the program ended before: its exit code says why. */
  async take(count: number): Promise<string[]> {
    while (this.#lines.length < count && !this.#hasEnded) await this.#news.promise
    return this.#lines.splice(0, count)
  }

  #tell(): void {
    this.#news.resolve()
    this.#news = Promise.withResolvers()
  }
}
