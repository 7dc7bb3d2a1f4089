import { runService } from '@wadi/rpc/run-service.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { startApiGateway } from './api-gateway.ts'
import { apiGatewaySettings } from './settings.ts'

await runService(async (signal) =>
  startApiGateway(
    readSettings(apiGatewaySettings, { env: process.env, argv: process.argv.slice(2) }),
    signal,
  ),
)
