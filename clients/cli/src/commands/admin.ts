import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addBackupCommand } from './admin-backup.ts'
import { addInitialPasswordCommand } from './admin-initial-password.ts'
import { addRbacCommands } from './admin-rbac.ts'
import { addRestoreCommand } from './admin-restore.ts'

/** Defines the sub-commands of `admin`, which need no server. */
export function defineAdminCommands(admin: Command, session: CommandSession): void {
  showExamples(
    admin,
    'wadi admin backup /backup/today',
    'wadi admin rbac validate --policy-file argocd-rbac-cm.yaml',
    'wadi admin initial-password',
  )
  addBackupCommand(admin, session)
  addRestoreCommand(admin, session)
  addInitialPasswordCommand(admin, session)
  addRbacCommands(admin, session)
}
