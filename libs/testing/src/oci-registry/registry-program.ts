import path from 'node:path'
import type { TestProgram } from '../go-program.ts'

/** The registry of the Distribution project. */
export const registryProgram: TestProgram = {
  title: 'OCI registry',
  script: 'build:registry',
  name: 'registry',
  sources: path.resolve(import.meta.dirname, '../../../../tools/oci-registry'),
}
