import path from 'node:path'
import type { TestProgram } from '@wadi/testing/go-program.ts'

/** Prometheus' own program for rules and their tests. */
export const promtoolProgram: TestProgram = {
  title: 'promtool',
  script: 'build:promtool',
  name: 'promtool',
  sources: path.join(import.meta.dirname, 'promtool'),
}
