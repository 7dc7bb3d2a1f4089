import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { makeSignedCertificate } from '@wadi/testing/tls-certificate.ts'
import { pack } from 'tar-stream'
import type { ToolName } from '@wadi/hydration/tool-versions.ts'
import { digestOf } from './installed-release.ts'
import { releaseUrl } from './release-address.ts'
import { thisPlatform, type ToolRelease } from './release-list.ts'

/** An entry of an archive: the content of a file, or where a link leads. */
type ArchiveEntry = string | Buffer | { readonly type: 'symlink' | 'link'; readonly linkname: string }

/** Packs a release as its project does; not compressed much, as that takes seconds. */
export async function packRelease(entries: Readonly<Record<string, ArchiveEntry>>): Promise<Buffer> {
  const archive = pack()
  const packed = buffer(archive)
  for (const [name, entry] of Object.entries(entries)) {
    if (typeof entry === 'string' || Buffer.isBuffer(entry)) archive.entry({ name, mode: 0o755 }, entry)
    else archive.entry({ name, ...entry })
  }
  archive.finalize()
  return gzipSync(await packed, { level: 1 })
}

/** A program that reports a version, as a script. */
export function reporting(version: string): string {
  return `#!/bin/sh\necho ${version}\n`
}

/** The name of the program of a tool in its archive. */
export function packedName(tool: ToolName): string {
  return tool === 'helm' ? `${thisPlatform().replace('/', '-')}/helm` : 'kustomize'
}

/** A release of this platform with the digest of an archive. */
export function releaseOf(tool: ToolName, version: string, archive: Buffer): ToolRelease {
  return { tool, version, platform: thisPlatform(), sha256: digestOf(archive) }
}

/** A server of releases on the loopback interface, with https and an authority of its own. */
export async function startReleaseServer() {
  const scratch = mkdtempSync(path.join(tmpdir(), 'wadi-releases-'))
  const { authority, certificate, key } = makeSignedCertificate(scratch, 'localhost')
  const releases: ToolRelease[] = []
  const archives = new Map<string, Buffer>()
  const requests: string[] = []
  const answers = new Map<string, (response: ServerResponse) => void>()
  const server = createServer(
    { cert: readFileSync(certificate), key: readFileSync(key) },
    (request, response) => {
      const url = request.url ?? ''
      requests.push(url)
      const answer = answers.get(url)
      if (answer) return answer(response)
      const archive = archives.get(url)
      response.writeHead(archive ? 200 : 404).end(archive)
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `https://localhost:${port}`
  const addresses = { helm: `${url}/helm`, kustomize: `${url}/kustomize` }
  const pathOf = (release: ToolRelease) => releaseUrl(addresses, release).slice(url.length)
  return {
    url,
    addresses,
    /** The certificate of the authority, as file and as text. */
    authorityFile: authority,
    authority: readFileSync(authority, 'utf8'),
    releases,
    /** The paths that were asked for. */
    requests,
    /** Responses sent for a path instead of the published content. */
    answers,
    pathOf,
    /** The list of what was published, as a file has it. */
    list: () =>
      releases
        .map(({ tool, version, platform, sha256 }) => `${tool} ${version} ${platform} ${sha256}\n`)
        .join(''),
    /** Adds a release with its archive, or with another one than the list says. */
    publish(release: ToolRelease, archive: Buffer): void {
      releases.push(release)
      archives.set(pathOf(release), archive)
    },
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}
