import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addRbacCanCommand } from './admin-rbac-can.ts'
import { addRbacValidateCommand } from './admin-rbac-validate.ts'

/** Adds `admin rbac` with its sub-commands. */
export function addRbacCommands(admin: Command, session: CommandSession): void {
  const rbac = explain(admin.command('rbac'), 'Check policies and try them out.', [
    'wadi admin rbac validate --policy-file policy.csv',
    'wadi admin rbac can role:dev sync applications dev/web --policy-file policy.csv',
  ])
  addRbacValidateCommand(rbac, session)
  addRbacCanCommand(rbac, session)
}
