import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { compileCache } from '@wadi/testing/quick-start.ts'

const checker = path.join(import.meta.dirname, 'check-docs.ts')

function check(...root: string[]): string[] {
  const { stdout, stderr } = spawnSync(process.execPath, [checker, ...root], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    encoding: 'utf8',
  })
  return `${stdout}${stderr}`.trim().split('\n')
}

/** Returns the lines that the checker prints about a guide in a small tree. */
async function checkGuide(guide: string, more: Record<string, string> = {}): Promise<string[]> {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-docs-'))
  const files = {
    'clients/cli/src/command-line/command-table.ts':
      "  {\n    name: 'up',\n  },\n  {\n    name: 'app',\n  },\n",
    'clients/cli/src/commands/app.ts': "program.command('app')\n",
    'clients/cli/src/commands/app-list.ts': "app.command('list').option('--project NAME')\n",
    'libs/git/src/mirror/mirror.ts': '',
    'docs/guides/git.md': '# Git\n\n## `fetch`: how?\n\n## Push\n\n## Push\n\n```\n## Code\n```\n',
    'docs/guides/guide.md': guide,
    ...more,
  }
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(scratch.path, file)), { recursive: true })
    await writeFile(path.join(scratch.path, file), content)
  }
  return check(scratch.path)
}

test('the documents name files, settings, commands and headings that exist', () => {
  assert.match(check().join('\n'), /^links and names of \d{2} documents are in order$/)
})

test('names and links that exist pass', async () => {
  const lines = await checkGuide(`# Guide

See [fetch](git.md#fetch-how), [push](./git.md#push-1), [here](#guide), [guides](../guides) and [others](https://x.test/a.ts).
\`mirror/mirror.ts\`, \`mirror.ts\`, \`libs/git\`, \`values.yaml\`, \`web/deploy.yaml\` and \`services/<service>/src/main.ts\`
\`WADI_HELM\`, \`WADI_ADMIN_TOKEN_FILE\` and all \`WADI_…\` variables

\`\`\`sh
[x](gone.md)
WADI_HELM=helm; ./wadi app list --project web | jq --raw-output .
kubectl -n wadi get pods
\`\`\`
`)
  assert.deepEqual(lines, ['links and names of 2 documents are in order'])
})

test('files, settings, commands and flags that do not exist are named with their line', async () => {
  const lines = await checkGuide(`# Guide
\`mirror/mirrors.ts\` and \`libs/gits\`
\`WADI_HELMET\`

\`\`\`sh
wadi down
export A=1 && ./wadi app lists
wadi app list --projects web
\`\`\`
`)
  assert.deepEqual(lines, [
    'docs/guides/guide.md:2: no file or directory is named mirror/mirrors.ts',
    'docs/guides/guide.md:2: no file or directory is named libs/gits',
    'docs/guides/guide.md:3: WADI_HELMET is not a setting',
    'docs/guides/guide.md:6: wadi has no command down',
    'docs/guides/guide.md:7: wadi app has no command lists',
    'docs/guides/guide.md:8: wadi has no flag --projects',
    '6 problems',
  ])
})

test('links to files and headings that do not exist are named with their line', async () => {
  const lines = await checkGuide('# Guide\n[a](gone.md)\n[b](git.md#code)\n[c](#guides)\n', {
    'README.md': '[d](docs/guides/git.md#push-2)\n',
  })
  assert.deepEqual(lines, [
    'README.md:1: docs/guides/git.md has no heading for #push-2',
    'docs/guides/guide.md:2: docs/guides/gone.md does not exist',
    'docs/guides/guide.md:3: docs/guides/git.md has no heading for #code',
    'docs/guides/guide.md:4: docs/guides/guide.md has no heading for #guides',
    '4 problems',
  ])
})

test('a decision that the index does not list is named', async () => {
  const lines = await checkGuide('# Guide\n', {
    'docs/decisions/README.md': '# Decisions\n\n- [1. One](0001-one.md)\n',
    'docs/decisions/0001-one.md': '# 1. One\n',
    'docs/decisions/0002-two.md': '# 2. Two\n',
  })
  assert.deepEqual(lines, [
    'docs/decisions/0002-two.md:1: docs/decisions/README.md does not list this page',
    '1 problem',
  ])
})
