import { startMesh } from '@wadi/mesh/mesh.ts'
import { runService } from '@wadi/rpc/run-service.ts'
import { endWithParent } from './child-program.ts'
import { offerProfile } from './main-thread-profile.ts'

const settings: Record<string, string> = JSON.parse(process.argv[3] ?? '{}')

// The mesh as a process of its own, so that its memory and cpu time are measured apart from those of the benchmark.
endWithParent()
offerProfile()
await runService(async () => {
  const mesh = await startMesh({
    dataDirectory: process.argv[2] ?? '',
    listen: '127.0.0.1:0',
    environment: {
      WADI_LOG_LEVEL: process.env['WADI_LOG_LEVEL'] ?? 'error',
      WADI_LOG_FORMAT: 'text',
      WADI_POLL_INTERVAL: '1h',
      WADI_ALLOWED_NETWORKS: '127.0.0.0/8',
      OTEL_EXPORTER_OTLP_ENDPOINT: process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '',
      ...settings,
    },
  })
  process.stdout.write(`${mesh.address} ${mesh.adminToken}\n`)
  return mesh
})
