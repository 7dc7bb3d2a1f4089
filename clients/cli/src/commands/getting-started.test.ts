import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { nodeOptions } from '@wadi/testing/quick-start.ts'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { environmentIn, startUp } from '../testing/running-up-fixture.ts'
import { mainFile, temporaryDirectory } from '../testing/run-wadi-fixture.ts'

const guide = new URL('../../../../docs/guides/getting-started.md', import.meta.url)

/** Runs a block of a guide as it is printed, with the launcher in the current directory. */
async function runBlock(block: string, directory: string, environment: Record<string, string>) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile('sh', ['-ec', block], { cwd: directory, env: environment }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), output: `${stdout}${stderr}` })
    })
  })
}

test('the commands of Getting started do what it says, in their order', async () => {
  await using temporary = await temporaryDirectory()
  const directory = temporary.path
  await using up = await startUp(directory, { WADI_ALLOW_FILE_URLS: 'true' })
  const launcher = `#!/bin/sh\nexec '${process.execPath}' ${nodeOptions.join(' ')} '${mainFile}' "$@"\n`
  await writeFile(join(directory, 'wadi'), launcher, { mode: 0o755 })
  await mkdir(join(directory, 'home'), { recursive: true })
  const start = join(directory, 'start')
  const environment = { ...environmentIn(directory), XDG_CACHE_HOME: cacheHome, START: start }
  const text = (await readFile(guide, 'utf8'))
    .replaceAll('/tmp/wadi-start', start)
    .replaceAll('127.0.0.1:8080', up.context.server)
  const blocks = Array.from(text.matchAll(/^```sh\n([^]*?)^```$/gm), ([, block = '']) => block)
  const outputs: string[] = []
  // The demo and the services have tests of their own.
  for (const block of blocks.filter((each) => !/wadi (?:demo|up)\b/.test(each))) {
    const { code, output } = await runBlock(block, directory, environment)
    assert.equal(code, block.includes('app diff') ? 1 : 0, `${block}${output}`)
    outputs.push(output)
  }
  const all = outputs.join('')
  assert.match(all, /^Hydration: +Hydrated$/m)
  assert.match(all, /^\+ +- image: registry\.example\.com\/guestbook:1\.1$/m)
  assert.match(all, /^guestbook: manifest\.yaml is reproduced byte for byte from /m)
})
