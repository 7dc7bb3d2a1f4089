import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addInitialPasswordCommand } from './admin-initial-password.ts'
import { addRbacCommands } from './admin-rbac.ts'

/** Adds `admin` with its sub-commands, which need no server. */
export function addAdminCommands(program: Command, session: CommandSession): void {
  const admin = explain(
    program.command('admin'),
    'Administer a server: validate RBAC offline, show the initial password.',
    ['wadi admin rbac validate --policy-file argocd-rbac-cm.yaml', 'wadi admin initial-password'],
  )
  addInitialPasswordCommand(admin, session)
  addRbacCommands(admin, session)
}
