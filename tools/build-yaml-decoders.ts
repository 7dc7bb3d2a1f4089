import { decodersProgram } from '@wadi/testing/yaml-decoders/decoders-program.ts'
import { buildGoProgram } from './go-program.ts'

// `npm run build:yaml-decoders`: builds the YAML libraries of Kubernetes and Helm into a program, once for each machine and user. Takes 10 seconds.

await buildGoProgram({
  program: decodersProgram,
  begins: 'building the YAML decoders from their Go modules, about 10 seconds',
})
