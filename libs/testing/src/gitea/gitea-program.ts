import path from 'node:path'
import type { TestProgram } from '../go-program.ts'

/** The forge Gitea. */
export const giteaProgram: TestProgram = {
  title: 'forge Gitea',
  script: 'build:gitea',
  name: 'gitea',
  sources: path.resolve(import.meta.dirname, '../../../../tools/gitea'),
}
