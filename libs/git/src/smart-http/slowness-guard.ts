/** As `http.lowSpeedLimit` and `http.lowSpeedTime` have it for git. */
const windowMs = 60_000
const minBytes = 6_000

/** Ends a transfer that moves less than 100 bytes a second for a minute, in either direction. */
export class SlownessGuard implements Disposable {
  #bytes = 0
  readonly #timer: NodeJS.Timeout

  /** @param onSlow called once for each minute in which too little moved */
  constructor(onSlow: (error: Error) => void) {
    this.#timer = setInterval(() => {
      if (this.#bytes < minBytes) {
        onSlow(new Error(`less than ${minBytes / 60} bytes a second for ${windowMs / 1000} s`))
      }
      this.#bytes = 0
    }, windowMs)
  }

  /** Counts bytes that moved. */
  moved(bytes: number): void {
    this.#bytes += bytes
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}
