/** The cache that hydrators share. Losing it only costs time. */
export interface SharedMemory extends AsyncDisposable {
  /**
   * Claims a piece of work for this process for some time. Returns 0 when it is claimed, and else the milliseconds until it can be.
   * A process that cannot ask the others has the claim.
   */
  claim(name: string, milliseconds: number): Promise<number>
  /**
   * Holds a piece of work until disposal, or for that many milliseconds after the end of this process. Undefined while another process
   * holds it. A process that cannot ask the others holds it.
   */
  hold(name: string, milliseconds: number): Promise<AsyncDisposable | undefined>
  /** The value that any process remembered under a name in the last days; undefined when there is none. */
  recall(name: string): Promise<Buffer | undefined>
  remember(name: string, value: Buffer): Promise<void>
}

/** Opens the memory of a single process, which asks nobody and remembers nothing for others. */
export function openSingleMemory(): SharedMemory {
  return {
    claim: async () => 0,
    hold: async () => ({ [Symbol.asyncDispose]: async () => undefined }),
    recall: async () => undefined,
    remember: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  }
}
