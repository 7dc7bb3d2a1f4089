import type { Command } from 'commander'
import { explain, showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addBackupCommand } from './admin-backup.ts'
import { addInitialPasswordCommand } from './admin-initial-password.ts'
import { addRbacCanCommand } from './admin-rbac-can.ts'
import { addRbacValidateCommand } from './admin-rbac-validate.ts'
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

/** Adds `admin rbac` with its sub-commands. */
function addRbacCommands(admin: Command, session: CommandSession): void {
  const rbac = explain(admin.command('rbac'), 'Check policies and try them out.', [
    'wadi admin rbac validate --policy-file policy.csv',
    'wadi admin rbac can role:dev sync applications dev/web --policy-file policy.csv',
  ])
  addRbacValidateCommand(rbac, session)
  addRbacCanCommand(rbac, session)
}
