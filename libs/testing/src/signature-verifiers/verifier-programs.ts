import path from 'node:path'
import type { TestProgram } from '../go-program.ts'

/** The programs and libraries of others by which people verify what Wadi signs. */
export const verifierPrograms = {
  flux: verifierProgram('Flux verification of commits', 'flux'),
  argoCd: verifierProgram('Argo CD verification of commits', 'argo-cd'),
  cosign: verifierProgram('program cosign', 'cosign'),
}

function verifierProgram(title: string, name: string): TestProgram {
  const sources = path.resolve(import.meta.dirname, '../../../../tools/signature-verifiers', name)
  return { title, script: 'build:verifiers', name: `verifier-${name}`, sources }
}
