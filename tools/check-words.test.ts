import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { compileCache } from '@wadi/testing/quick-start.ts'

async function check(files: Record<string, string>): Promise<{ status: number | null; lines: string[] }> {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-words-'))
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(scratch.path, file)), { recursive: true })
    await writeFile(path.join(scratch.path, file), content)
  }
  const checker = path.join(import.meta.dirname, 'check-words.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [checker, scratch.path], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    encoding: 'utf8',
  })
  return { status, lines: `${stdout}${stderr}`.trim().split('\n') }
}

test('doc comments that open with a clause are problems', async () => {
  const { status, lines } = await check({
    'own/one.ts':
      '/** What one render reads. */\nlet a\n/** True if a render reads what is not there. */\nlet b\n',
    'own/two.ts': '\n/**\n * Whether the file exists.\n */\nlet a\n// What is left of it.\nlet b\n',
    'own/gen/three.ts': '/** Who calls. */\n',
    'own/four.md': '/** How it works. */\n',
  })
  assert.equal(status, 1)
  const openings = "a doc comment names the thing ('The …', 'Returns …', 'True if …') instead of"
  assert.deepEqual(lines, [
    `own/one.ts:1: ${openings} 'What …'`,
    `own/two.ts:2: ${openings} 'Whether …'`,
    '2 problems',
  ])
})

test('words that the glossary avoids are problems in comments, names and strings', async () => {
  const { status, lines } = await check({
    'own/one.go': '// render asks anew.\nfunc workFolder() string { return "the next look" }\n',
    'own/two.ts': "let renderMemo\n// in memory\nlet memory = 'renewed'\n",
    'own/three.proto': '// It has an own folder.\n',
    'own/plain.sh': '# It looks at the directory first.\n',
  })
  assert.equal(status, 1)
  assert.deepEqual(lines, [
    "own/one.go:2: write 'directory' instead of 'Folder'",
    "own/one.go:2: write 'poll' instead of 'next look'",
    "own/one.go:1: write 'again' instead of 'anew'",
    "own/three.proto:1: write 'directory' instead of 'folder'",
    "own/three.proto:1: write 'its own' instead of 'an own'",
    "own/two.ts:1: write 'cache' instead of 'Memo'",
    '6 problems',
  ])
})

test('files without them pass', async () => {
  const { status, lines } = await check({ 'own/one.ts': '/** The directory of one render. */\nlet a\n' })
  assert.equal(status, 0)
  assert.deepEqual(lines, ['the words of 1 files are in order'])
})
