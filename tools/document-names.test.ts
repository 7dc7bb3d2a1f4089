import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
// The change log and the decisions speak of what was there at the time.
const documents = files.filter((file) => /^(README|CONTRIBUTING|docs\/(?!decisions\/).+)\.md$/.test(file))

/** Files of ours in backquotes: with a directory, and with the ending of a source. */
const named = /`([\w.-]+(?:\/[\w.-]+)+\.(?:ts|tsx|proto|go|sh))`/g
const linked = /\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g

test('documents name files that are there', () => {
  const missing = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8').replaceAll(/^```.*?^```/gms, '')
    const names = [...text.matchAll(named)].flatMap(([, name = '']) =>
      files.some((file) => file === name || file.endsWith(`/${name}`)) ? [] : [name],
    )
    const links = [...text.matchAll(linked)].flatMap(([, link = '']) =>
      existsSync(join(root, dirname(document), link)) ? [] : [link],
    )
    return [...names, ...links].map((name) => `${document}: ${name}`)
  })
  assert.deepEqual(missing, [])
  assert.ok(documents.length > 10)
})
