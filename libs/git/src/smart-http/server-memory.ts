import { AtomicUnsupportedError } from '../process/git-failure.ts'
import type { RemoteTarget } from '../remote/remote-target.ts'
import { readAdvertisement } from './advertisement.ts'
import type { Advertisement, Capabilities } from './advertisement.ts'
import { OddAnswerError } from './pkt-line.ts'

/** The capabilities of one server, cached so that it need not be asked before each request. */
export class ServerMemory {
  #uploadPack: Capabilities | 'first protocol' | undefined
  #receivePack: Capabilities | undefined
  #heads: readonly string[] = []

  /**
   * Does work by protocol 2 with what the server offers there. One that does not understand it any more is asked again what it
   * speaks.
   * @param byFirst what to do with a server that speaks the first protocol alone, and the refs that it advertises
   */
  async withProtocol2<T>(
    remote: RemoteTarget,
    work: (capabilities: Capabilities) => Promise<T>,
    byFirst: (advertised: Extract<Advertisement, { version: 0 }>) => T,
  ): Promise<T> {
    const known = this.#uploadPack
    if (known !== undefined && known !== 'first protocol') {
      try {
        return await work(known)
      } catch (error) {
        if (!(error instanceof OddAnswerError)) throw error
        this.#uploadPack = undefined
      }
    }
    const advertised = await readAdvertisement(remote, 'git-upload-pack')
    this.#uploadPack = advertised.version === 2 ? advertised.capabilities : 'first protocol'
    return advertised.version === 2 ? work(advertised.capabilities) : byFirst(advertised)
  }

  /** The objects of the refs at the last complete listing; the server has them. */
  get heads(): readonly string[] {
    return this.#heads
  }

  /** Keeps what refs name. */
  noteHeads(refs: ReadonlyMap<string, string>): void {
    this.#heads = [...new Set(refs.values())]
  }

  /**
   * Pushes with what the server offers for that. After a failure it is asked again, because it may have changed; at once if it did not
   * understand the push.
   */
  async withReceivePack<T>(
    remote: RemoteTarget,
    push: (capabilities: Capabilities) => Promise<T>,
  ): Promise<T> {
    const known = this.#receivePack
    if (known !== undefined) {
      try {
        return await push(known)
      } catch (error) {
        if (!(error instanceof AtomicUnsupportedError)) this.#receivePack = undefined
        if (!(error instanceof OddAnswerError)) throw error
      }
    }
    const advertised = await readAdvertisement(remote, 'git-receive-pack')
    if (advertised.version !== 0) throw new OddAnswerError('the server pushes by an unknown protocol')
    this.noteHeads(advertised.remoteRefs.refs)
    const result = await push(advertised.capabilities)
    this.#receivePack = advertised.capabilities
    return result
  }

  /** @throws OddAnswerError for a server that is known to speak the first protocol alone. */
  assertProtocol2(): void {
    if (this.#uploadPack === 'first protocol')
      throw new OddAnswerError('the server speaks the first protocol')
  }
}
