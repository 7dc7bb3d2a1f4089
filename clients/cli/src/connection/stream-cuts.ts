/** The advice about a proxy that waits for too short a time. */
export const proxyAdvice =
  "raise the time limit of the proxy before the server; of ingress-nginx it is the annotation nginx.ingress.kubernetes.io/proxy-read-timeout: '3600' (apiGateway.ingress.annotations of the chart)"

/** So many streams in a row show that it is no accident. */
const enough = 3
/** Longer ones end for other reasons, too. */
const longestMs = 120_000
const toleranceMs = 1_000

/** Notices a proxy that ends idle streams: several in a row end after about the same time. */
export class StreamCuts {
  readonly #lifetimes: number[] = []

  /** Notes a stream that ended before its work was done. Returns a hint the first time that it is clear why; undefined otherwise. */
  note(lifetimeMs: number): string | undefined {
    const before = this.#lifetimes.length
    if (before > 0 && !this.#isLike(lifetimeMs)) this.#lifetimes.length = 0
    this.#lifetimes.push(lifetimeMs)
    if (this.#lifetimes.length !== enough || lifetimeMs > longestMs) return undefined
    const seconds = Math.round(lifetimeMs / 100) / 10
    return `the connection to the server was cut after ${seconds} s, ${enough} times in a row; it is opened again each time. If nothing is wrong with the network, ${proxyAdvice}`
  }

  #isLike(lifetimeMs: number): boolean {
    const last = this.#lifetimes.at(-1) ?? 0
    return Math.abs(last - lifetimeMs) < Math.min(toleranceMs, last / 2)
  }
}
