import { buildGoProgram } from './go-program.ts'
import { promtoolProgram } from './promtool-program.ts'

// `npm run build:promtool`: builds Prometheus' program that tests rules, once for each machine and user.

await buildGoProgram({
  program: promtoolProgram,
  begins: 'building promtool from its Go modules, about 8 minutes',
  package: 'github.com/prometheus/prometheus/cmd/promtool',
  tags: 'remove_all_sd',
})
