import { registryProgram } from '@wadi/testing/oci-registry/registry-program.ts'
import { buildGoProgram } from './go-program.ts'

// `npm run build:registry`: builds the registry of the Distribution project, once for each machine and user. Takes 2 minutes on two idle cores.

await buildGoProgram({
  program: registryProgram,
  begins: 'building the OCI registry from its Go modules, about 2 minutes',
})
