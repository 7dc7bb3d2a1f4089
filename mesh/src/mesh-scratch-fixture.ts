import { mkdir, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { shareToolCache } from '@wadi/testing/tool-cache.ts'

/** Makes a directory for data, beside one for the sockets of the meshes that this test starts. */
export async function openScratch(t: TestContext) {
  const scratch = await mkdtempDisposable(join(tmpdir(), 'wadi-mesh-'))
  t.after(() => scratch.remove())
  const sockets = join(scratch.path, 't')
  await mkdir(sockets)
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = sockets
  t.after(() => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  })
  const data = join(scratch.path, 'data')
  await shareToolCache(data)
  return { data, sockets, dry: join(scratch.path, 'dry') }
}
