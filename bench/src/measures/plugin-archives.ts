import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { openPlugins } from '@wadi/plugin-client/open-plugins.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { BareUploader, uploadMessages } from '../bare-upload.ts'
import { startChildProgram } from '../child-program.ts'
import { openCmpServerBed } from '../cmp-server-bed.ts'
import type { Effort } from '../effort.ts'
import { atMost, type Cost, costText, information, type Measurement, median } from '../measurement.ts'
import { cpuSeconds } from '../process-tree.ts'

const mebibyte = 1024 ** 2
const archiveMebibytes = 50
const standardRounds = 7
const smallChunksBar = 8
// 200 MiB a second.
const sendingBar = 5

/** Measures what archives of random bytes cost on their way: in Argo CD's small chunks, and from Wadi's own sender. */
export async function measurePluginArchives(directory: string, effort: Effort): Promise<Measurement[]> {
  const rounds = effort.rounds(standardRounds)
  const files = path.join(directory, 'files')
  await mkdir(files, { recursive: true })
  await writeFile(path.join(files, 'random.bin'), randomBytes(archiveMebibytes * mebibyte))
  // The sender first: the other measure leaves much for this process to tidy up.
  return [await measureSender(files, rounds), ...(await measureChunks(directory, files, rounds))]
}

/** 1 KiB and 1 MiB chunks of one archive into cmp-server, from a caller that has the messages ready. */
async function measureChunks(directory: string, files: string, rounds: number): Promise<Measurement[]> {
  const spec = { generate: { command: ['true'] }, discover: { fileName: 'random.bin' } }
  await using bed = await openCmpServerBed(directory, 'chunks', spec)
  using uploader = new BareUploader(bed.socket)
  const { stdout } = await promisify(execFile)('tar', ['-czf', '-', '-C', files, 'random.bin'], {
    encoding: 'buffer',
    maxBuffer: 2 * archiveMebibytes * mebibyte,
  })
  const measure = async (messages: readonly Buffer[], expected: string) => {
    const before = cpuSeconds(bed.pid)
    const started = performance.now()
    const status = await uploader.upload('MatchRepository', messages)
    const wall = (performance.now() - started) / 1000
    if (status !== expected) throw new Error(`cmp-server answered ${status} instead of ${expected}`)
    return { wall, cpu: cpuSeconds(bed.pid) - before }
  }
  const compare = async (checksum: string | undefined, expected: string) => {
    const inSmall = uploadMessages(stdout, 1024, checksum)
    const inLarge = uploadMessages(stdout, mebibyte, checksum)
    const small: Cost[] = []
    const large: Cost[] = []
    for (let round = 0; round <= rounds; round++) {
      const costs = [await measure(inSmall, expected), await measure(inLarge, expected)] as const
      // The first time warms up.
      if (round === 0) continue
      small.push(costs[0])
      large.push(costs[1])
    }
    const [one, other] = [median(small), median(large)]
    const basis = `median of ${rounds}: ${costText(one)}; in 1 MiB chunks: ${costText(other)}`
    return { ratio: one.wall / other.wall, basis }
  }
  const whole = await compare(undefined, '0')
  // The wrong checksum ends the call before anything is unpacked; 3 is InvalidArgument.
  const taken = await compare('0'.repeat(64), '3')
  const name = `plugins, ${archiveMebibytes} MiB in 1 KiB chunks`
  return [
    atMost(name, whole.ratio, '× 1 MiB chunks', smallChunksBar, whole.basis),
    information(`${name}, not unpacked`, taken.ratio, '× 1 MiB chunks', taken.basis),
  ]
}

/** The sender with the archive in memory, to a server that only reads, beside the same bytes over a bare connection. */
async function measureSender(files: string, rounds: number): Promise<Measurement> {
  await using sink = await startChildProgram(new URL('../archive-sink-child.ts', import.meta.url), [], {})
  const [pluginPort, rawPort] = sink.firstLine.split(' ').map(Number)
  await using plugins = await openPlugins({ endpoints: [`http://127.0.0.1:${pluginPort}`] })
  const plugin = await plugins.get('sink')
  const call = { tree: openDirectoryTree(files), inputs: [''], path: '', variables: [] }
  const bytes = randomBytes(archiveMebibytes * mebibyte)
  const ours: Cost[] = []
  const bare: Cost[] = []
  for (let round = 0; round <= rounds; round++) {
    const own = await timed(() => plugin.generate(call))
    const raw = await timed(() => sendRaw(Number(rawPort), bytes))
    // The first time packs the archive.
    if (round === 0) continue
    ours.push(own)
    bare.push(raw)
  }
  if (plugins.stats.archivesBuilt !== 1) throw new Error(`${plugins.stats.archivesBuilt} archives were built`)
  const speeds = [ours, bare].map((costs) => Math.round(archiveMebibytes / median(costs).wall))
  const basis = `median of ${rounds}: ${speeds[0]} MiB/s; bare TCP: ${speeds[1]} MiB/s`
  const milliseconds = (median(ours).wall * 1000) / archiveMebibytes
  return atMost('plugins, archive sent', milliseconds, 'ms/MiB', sendingBar, basis)
}

async function timed(work: () => Promise<unknown>): Promise<Cost> {
  const before = process.cpuUsage()
  const started = performance.now()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { wall: (performance.now() - started) / 1000, cpu: (user + system) / 1_000_000 }
}

async function sendRaw(port: number, bytes: Buffer): Promise<void> {
  const socket = net.connect(port, '127.0.0.1')
  socket.resume().end(bytes)
  await once(socket, 'close')
}
