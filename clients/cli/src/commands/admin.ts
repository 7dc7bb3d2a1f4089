import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addBackupCommand } from './admin-backup.ts'
import { addInitialPasswordCommand } from './admin-initial-password.ts'
import { addRbacCommands } from './admin-rbac.ts'
import { addRestoreCommand } from './admin-restore.ts'

/** Adds `admin` with its sub-commands, which need no server. */
export function addAdminCommands(program: Command, session: CommandSession): void {
  const admin = explain(
    program.command('admin'),
    'Administer a server: back up and restore its data, validate RBAC offline, show the initial password.',
    [
      'wadi admin backup /backup/today',
      'wadi admin rbac validate --policy-file argocd-rbac-cm.yaml',
      'wadi admin initial-password',
    ],
  )
  addBackupCommand(admin, session)
  addRestoreCommand(admin, session)
  addInitialPasswordCommand(admin, session)
  addRbacCommands(admin, session)
}
