import assert from 'node:assert/strict'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { planBatches } from './test-batches.ts'

test('every file is in one batch, slow directories first, and a file that asks for it is alone', async () => {
  await using root = await mkdtempDisposable(path.join(tmpdir(), 'wadi-batches-'))
  const counts = {
    'integration-tests/src': 45,
    'integration-tests/src/faults': 25,
    fuzz: 3,
    libs: 25,
    tools: 25,
  }
  const files = Object.entries(counts).flatMap(([directory, length]) =>
    Array.from({ length }, (_, index) => `${directory}/${index}.test.ts`),
  )
  for (const file of files) {
    await mkdir(path.join(root.path, path.dirname(file)), { recursive: true })
    await writeFile(
      path.join(root.path, file),
      file === 'libs/7.test.ts' ? '// Own process: it ends it.\n' : '',
    )
  }
  const batches = await planBatches(root.path, files)
  assert.deepEqual(
    batches.map(({ name, files: { length } }) => [name, length]),
    [
      ['integration-tests/src/faults 1 of 1', 25],
      ['integration-tests 1 of 2', 23],
      ['integration-tests 2 of 2', 22],
      ['libs/7.test.ts', 1],
      ['libs 1 of 1', 24],
      ['others 1 of 1', 28],
    ],
  )
  assert.deepEqual(batches.flatMap(({ files: inBatch }) => inBatch).toSorted(), files.toSorted())
})
