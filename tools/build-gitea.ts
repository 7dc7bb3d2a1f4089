import { giteaProgram } from '@wadi/testing/gitea/gitea-program.ts'
import { buildGoProgram } from './go-program.ts'

// `npm run build:gitea`: builds the forge Gitea, once for each machine and user. Takes 10 minutes on two idle cores, 2 GB of memory and a C
// compiler, for SQLite.

await buildGoProgram({
  program: giteaProgram,
  begins: 'building Gitea from its Go modules, about 10 minutes',
  tags: 'sqlite,sqlite_unlock_notify',
  cgo: true,
})
