import { objectId } from '../objects/object-id.ts'

/** Of this many bytes of contents a git process more is worth its start. */
const storedTogether = 1024 * 1024

/** The content of a file that waits for its commit: its bytes, or what git calls them once it has them. */
export class CommitContent {
  #bytes: Buffer | undefined
  #id: string | undefined

  constructor(text: string) {
    this.#bytes = Buffer.from(text)
  }

  /** The id of its blob. */
  get id(): string {
    this.#id ??= objectId('blob', this.bytes())
    return this.#id
  }

  /** True if git has it. */
  get isStored(): boolean {
    return this.#bytes === undefined
  }

  /**
   * The content itself, which is not to be changed.
   * @throws once git has it
   */
  bytes(): Buffer {
    if (this.#bytes === undefined) throw new Error(`the content is kept as blob ${this.id}`)
    return this.#bytes
  }

  /** Lets go of the bytes, as git has them. */
  stored(): void {
    this.#id = this.id
    this.#bytes = undefined
  }

  toString(): string {
    return this.bytes().toString()
  }
}

/** Gives contents to git, and calls `stored` of each. */
type StoreContents = (contents: readonly CommitContent[]) => Promise<void>

/**
 * The contents of one commit while they come. Those of a small commit stay here until it is made; of a large one, each MiB is given to
 * git while the rest comes: that takes no memory, and less is left to do at the end.
 */
export class CommitContents implements AsyncDisposable {
  readonly #store: StoreContents
  #waiting: CommitContent[] = []
  #waitingBytes = 0
  #storing = Promise.resolve()

  constructor(store: StoreContents) {
    this.#store = store
  }

  add(text: string): CommitContent {
    const content = new CommitContent(text)
    this.#waiting.push(content)
    this.#waitingBytes += content.bytes().length
    return content
  }

  /**
   * Gives git what waits when it is enough, after what it was given before.
   * @throws what storing earlier contents threw
   */
  async settle(): Promise<void> {
    if (this.#waitingBytes < storedTogether) return
    const contents = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    await this.#storing
    this.#storing = this.#store(contents)
    // The next step throws it.
    this.#storing.catch(() => undefined)
  }

  /**
   * Waits until git has all that it was given.
   * @throws what storing threw
   */
  async finish(): Promise<void> {
    await this.#storing
  }

  /** Waits for git, however it ends. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#storing.catch(() => undefined)
  }
}
