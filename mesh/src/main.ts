import { join, resolve } from 'node:path'
import { readAdminToken } from '@wadi/api-gateway/authentication/admin-token.ts'
import { apiGatewaySettings } from '@wadi/api-gateway/settings.ts'
import { runService } from '@wadi/rpc/run-service.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { startMesh } from './mesh.ts'
import { serviceEnvironment } from './service-environment.ts'

// All services as one process, for one pod: the gateway's settings and those of the other services, from the environment alone.
await runService(async (signal) => {
  const { env } = process
  const settings = readSettings(apiGatewaySettings, { env, argv: process.argv.slice(2) })
  const { listen, dataDirectory } = settings
  const adminToken = await readAdminToken(settings.adminToken, join(resolve(dataDirectory), 'admin.token'))
  return startMesh({ dataDirectory, listen, adminToken, environment: serviceEnvironment(env), signal })
})
