/** The keys of Kubernetes' objects in etcd. */
const objects = { first: '/registry/', last: '/registry0' }

/** The etcd of a plane, as its gateway for JSON answers. */
export class PlaneEtcd {
  readonly address: string

  constructor(port: number) {
    this.address = `http://127.0.0.1:${port}`
  }

  /** The newest revision. */
  async revision(): Promise<number> {
    const { header } = await this.#ask('range', { key: base64(objects.first) })
    return Number(header.revision)
  }

  /** Forgets the history up to a revision. */
  async compact(revision: string): Promise<void> {
    await this.#ask('compaction', { revision, physical: true })
  }

  /** Removes the objects that were created after a revision; the API server sees each go. */
  async removeSince(revision: number): Promise<void> {
    const { kvs = [] } = await this.#ask('range', {
      key: base64(objects.first),
      range_end: base64(objects.last),
      keys_only: true,
      min_create_revision: revision + 1,
    })
    for (const { key } of kvs) await this.#ask('deleterange', { key })
  }

  async #ask(
    call: string,
    body: object,
  ): Promise<{ header: { revision: string }; kvs?: readonly { key: string }[] }> {
    const response = await fetch(`${this.address}/v3/kv/${call}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`etcd rejects ${call}: ${text}`)
    return JSON.parse(text)
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
