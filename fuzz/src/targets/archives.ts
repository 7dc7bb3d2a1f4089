import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { extractArchive } from '@wadi/cmp-server/archive/extract-archive.ts'
import { openChartTree } from '@wadi/charts/chart-tree.ts'
import type { Target } from '../target.ts'

const block = 512
const limits = { compressedBytes: 1024 ** 2, extractedBytes: 4 * 1024 ** 2, entries: 1_000 }

const archive = Buffer.concat([
  entry('apps/', '5', ''),
  entry('apps/web.yaml', '0', 'kind: ConfigMap\n'),
  entry('apps/link', '2', '', 'web.yaml'),
  entry(`${'long/'.repeat(15)}file`, '0', 'x'),
  Buffer.alloc(2 * block),
])

const chart = Buffer.concat([
  entry('web/Chart.yaml', '0', 'name: web\nversion: 1.0.0\n'),
  entry('web/templates/a.yaml', '0', 'kind: ConfigMap\n'),
  entry('web/link', '2', '', 'Chart.yaml'),
  Buffer.alloc(2 * block),
])

/** Archives of files for plugins and of charts; the broken part is inside of the compression, where it gets far. */
export const archiveTargets: readonly Target[] = [
  {
    name: 'archives',
    bases: [{ name: 'archive', bytes: archive }],
    async read(input, _base, scratch) {
      const root = mkdtempSync(join(scratch, 'files-'))
      try {
        const { signal } = new AbortController()
        await extractArchive(Readable.from([gzipSync(input)]), root, limits, {
          preserveFileMode: false,
          signal,
        })
      } finally {
        rmSync(root, { recursive: true, force: true })
      }
    },
  },
  {
    name: 'chart-archives',
    bases: [{ name: 'chart', bytes: chart }],
    async read(input) {
      await openChartTree(gzipSync(input), 'chart web')
    },
  },
]

/** An entry of a tar archive in the ustar format. */
function entry(name: string, type: '0' | '2' | '5', content: string, link = ''): Buffer {
  const header = Buffer.alloc(block)
  // Numbers are octal; the other fields stay empty.
  header.write(name, 0, 'latin1')
  header.write('0000644', 100, 'latin1')
  header.write(content.length.toString(8).padStart(11, '0'), 124, 'latin1')
  header.write('00000000000', 136, 'latin1')
  header.fill(' ', 148, 156)
  header.write(type, 156, 'latin1')
  header.write(link, 157, 'latin1')
  header.write('ustar', 257, 'latin1')
  header.write('00', 263, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')} `, 148, 'latin1')
  header[154] = 0
  const body = Buffer.alloc(Math.ceil(content.length / block) * block)
  body.write(content, 'latin1')
  return Buffer.concat([header, body])
}
