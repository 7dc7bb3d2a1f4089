import assert from 'node:assert/strict'
import { mkdtempDisposable, readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { build, type Rolldown } from 'vite'
import { languages } from '../src/language/languages.ts'
import { consoleConfig } from './console-config.ts'

/** Compressed script that a browser loads with the list of Applications, at most. */
const maxFirstLoadBytes = 250 * 1024
/** Compressed script that another page or a part of one needs beyond that, at most, without the editor of code. */
const maxPageBytes = 60 * 1024

let built: Awaited<ReturnType<typeof mkdtempDisposable>>
let chunks: ReadonlyMap<string, Rolldown.OutputChunk>

before(async () => {
  built = await mkdtempDisposable(join(tmpdir(), 'wadi-console-build-'))
  const bundle = await build(consoleConfig(built.path))
  assert.ok('output' in bundle)
  chunks = new Map(
    bundle.output.filter((file) => file.type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  )
})
after(() => built.remove())

const textOf = (file: string) => readFile(join(built.path, file), 'utf8')

/** The files that a script imports before it runs, itself among them. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  const chunk = chunks.get(file)
  if (!chunk || seen.has(file)) return seen
  seen.add(file)
  for (const name of chunk.imports) loadedBy(name, seen)
  return seen
}

/** The first page, with the sign-in for a session that ends, which is loaded as soon as the page is shown, and its texts. */
function firstFiles(language: string): Set<string> {
  const first = textsOf(language, 'first')
  for (const { fileName, isEntry, name } of chunks.values())
    if (isEntry || name === 'sign-in-dialog') loadedBy(fileName, first)
  return first
}

/** A part of the catalogue of a language; nothing for English, whose texts are where they are used. */
function textsOf(language: string, part: 'first' | 'later'): Set<string> {
  const files = [...chunks.values()].filter(({ facadeModuleId }) =>
    facadeModuleId?.endsWith(`/${language}.json?${part}`),
  )
  assert.equal(files.length, language === 'en' ? 0 : 1, language)
  return new Set(files.map(({ fileName }) => fileName))
}

async function compressedBytes(files: Iterable<string>): Promise<number> {
  let bytes = 0
  for (const file of files) {
    const packed = await stat(join(built.path, `${file}.br`)).catch(() => stat(join(built.path, file)))
    bytes += packed.size
  }
  return bytes
}

for (const language of Object.keys(languages)) {
  test(`the list of Applications needs no more than 250 KB of compressed script, in ${language}`, async () => {
    const first = firstFiles(language)
    const bytes = await compressedBytes(first)
    assert.ok(bytes > 100 * 1024, `${bytes} bytes are too few to be true`)
    assert.ok(bytes <= maxFirstLoadBytes, `${bytes} bytes of compressed script: ${[...first].join(' ')}`)
  })

  test(`every other page, and every part of one, needs no more than 60 KB of compressed script, in ${language}`, async () => {
    const first = firstFiles(language)
    const texts = textsOf(language, 'later')
    const pages = [...chunks.values()].filter(
      ({ name, isDynamicEntry }) => isDynamicEntry && /-(?:page|tab)$/.test(name),
    )
    assert.ok(pages.length > 20, `${pages.length} are too few to be all`)
    for (const { fileName } of pages) {
      const more = loadedBy(fileName).union(texts).difference(first)
      const bytes = await compressedBytes(more)
      assert.ok(bytes <= maxPageBytes, `${fileName} needs ${bytes} bytes: ${[...more].join(' ')}`)
    }
  })
}

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
