/** Messages on their way to a reader, in their order. */
export class Channel<Message> implements AsyncIterable<Message> {
  readonly #messages: Message[] = []
  #end: { error?: unknown } | undefined
  #news = Promise.withResolvers<void>()

  push(message: Message): void {
    this.#messages.push(message)
    this.#tell()
  }

  /** Ends it; with an error the reader gets that after the messages. */
  end(end: { error?: unknown } = {}): void {
    this.#end ??= end
    this.#tell()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Message> {
    for (;;) {
      const news = this.#news.promise
      while (this.#messages.length > 0) yield* this.#messages.splice(0, 1)
      if (this.#end) {
        if ('error' in this.#end) throw this.#end.error
        return
      }
      await news
    }
  }

  #tell(): void {
    this.#news.resolve()
    this.#news = Promise.withResolvers()
  }
}
