import assert from 'node:assert/strict'
import { mkdtempDisposable, readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { build } from 'vite'
import { consoleConfig } from './console-config.ts'

/** Compressed script that a browser loads before the list of Applications is there, at most. */
const maxFirstLoadBytes = 350 * 1024

let built: Awaited<ReturnType<typeof mkdtempDisposable>>

before(async () => {
  built = await mkdtempDisposable(join(tmpdir(), 'wadi-console-build-'))
  await build(consoleConfig(built.path))
})
after(() => built.remove())

const textOf = (file: string) => readFile(join(built.path, file), 'utf8')

/** The scripts that a file imports before it runs, itself among them. */
async function loadedBy(file: string, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(file)) return seen
  seen.add(file)
  const text = await textOf(`assets/${file}`)
  for (const [, name = ''] of text.matchAll(/(?:from|import)\s*["']\.\/([\w-]+\.js)["']/g))
    await loadedBy(name, seen)
  return seen
}

test('the list of Applications needs no more than 350 KB of compressed script', async () => {
  const [, entry = ''] = /src="\/assets\/([\w-]+\.js)"/.exec(await textOf('index.html')) ?? []
  const files = await readdir(join(built.path, 'assets'))
  const list = files.find((file) => /^applications-page-[\w-]+\.js$/.test(file)) ?? ''
  const loaded = await loadedBy(list, await loadedBy(entry))
  assert.ok(loaded.size > 2, [...loaded].join(' '))
  let bytes = 0
  for (const file of loaded) {
    const packed = files.includes(`${file}.gz`) ? `${file}.gz` : file
    bytes += (await stat(join(built.path, 'assets', packed))).size
  }
  assert.ok(bytes > 100 * 1024, `${bytes} bytes are too few to be true`)
  assert.ok(bytes <= maxFirstLoadBytes, `${bytes} bytes of compressed script: ${[...loaded].join(' ')}`)
})

test('the page runs no script and no style of its own, and asks no other host', async () => {
  const page = await textOf('index.html')
  assert.doesNotMatch(page, /<script(?![^>]*\ssrc="\/assets\/)/)
  assert.doesNotMatch(page, /<style|\sstyle=|https?:/)
  assert.match(page, /<meta property="csp-nonce" nonce="nonce-of-the-response">/)
})

test('the gateway gets the list of pages, and no style sheet has a picture or a font within', async () => {
  assert.match(await textOf('pages.txt'), /^\/\n\/applications\n/)
  const files = await readdir(join(built.path, 'assets'))
  for (const file of files.filter((name) => name.endsWith('.css')))
    assert.doesNotMatch(await textOf(`assets/${file}`), /url\(\s*["']?(?:data:|https?:)/, file)
})
