import { rm } from 'node:fs/promises'
import { createClient } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { startMesh } from '@wadi/mesh/mesh.ts'
import type { Effort } from '../effort.ts'
import { listApplications } from '../listed-applications.ts'
import { atMost, type Cost, costText, information, type Measurement, median } from '../measurement.ts'

const standardApplications = 5_000
const standardRounds = 15
const pageSize = 50
/** Of the processor time of a full list. */
const shareBar = 0.25

/**
 * Reads a page of Applications with its counts by phase, and the whole list, from a gateway of this process. The page is
 * found by text in one half, so that it is no question of reading less.
 */
export async function measureLists(directory: string, effort: Effort): Promise<Measurement[]> {
  const count = effort.applications(standardApplications)
  await using mesh = await startMesh({
    dataDirectory: directory,
    listen: '127.0.0.1:0',
    environment: { WADI_LOG_LEVEL: 'error', WADI_POLL_INTERVAL: '1h', WADI_ALLOWED_NETWORKS: '127.0.0.0/8' },
  })
  const applications = createClient(
    ApplicationService,
    createConnectTransport({
      baseUrl: mesh.address,
      httpVersion: '1.1',
      useBinaryFormat: false,
      readMaxBytes: 256 * 1024 * 1024,
      interceptors: [
        (next) => (request) => {
          request.header.set('authorization', `Bearer ${mesh.adminToken}`)
          return next(request)
        },
      ],
    }),
  )
  await listApplications(applications, count)
  const filter = { text: 'half-1' }
  const rounds = effort.rounds(standardRounds)
  const pages = await timedRounds(rounds, async () => {
    const { total } = await applications.searchApplications({ filter, limit: pageSize })
    if (total !== Math.floor(count / 2)) throw new Error(`${total} Applications were found`)
  })
  const lists = await timedRounds(rounds, async () => {
    const answer = await applications.listApplications({})
    if (answer.applications.length !== count) throw new Error(`${answer.applications.length} were listed`)
  })
  await rm(directory, { recursive: true, force: true })
  const [page, list] = [median(pages), median(lists)]
  const basis = `page: ${costText(page)}; list: ${costText(list)}; processor time of client and server`
  return [
    atMost(
      `page of ${pageSize} of ${count} applications`,
      page.wall / list.wall,
      '× full list',
      shareBar,
      basis,
    ),
    information(`page of ${pageSize} of ${count} applications, time`, page.wall * 1_000, 'ms', basis),
  ]
}

/** Returns the costs of each round, after one that warms up. */
async function timedRounds(rounds: number, work: () => Promise<void>): Promise<Cost[]> {
  await work()
  const costs: Cost[] = []
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    const started = performance.now()
    await work()
    const { user, system } = process.cpuUsage(before)
    costs.push({ wall: (performance.now() - started) / 1_000, cpu: (user + system) / 1_000_000 })
  }
  return costs
}
