import type { Command } from 'commander'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addCertAddSshCommand } from './cert-add-ssh.ts'
import { addCertAddTlsCommand } from './cert-add-tls.ts'
import { addCertListCommand } from './cert-list.ts'
import { addCertRemoveCommand } from './cert-rm.ts'

/** Adds `cert` with its sub-commands. */
export function addCertCommands(program: Command, session: CommandSession): void {
  const cert = explain(
    program.command('cert'),
    'Manage which servers of repositories are trusted: certificate authorities and SSH host keys.',
    ['wadi cert add-tls git.example.com --from ca.pem', 'wadi cert list'],
  )
  cert.addHelpText(
    'after',
    '\nThey are in the ConfigMaps argocd-tls-certs-cm and argocd-ssh-known-hosts-cm. What the Secret of a repository says takes precedence.',
  )
  addCertAddTlsCommand(cert, session)
  addCertAddSshCommand(cert, session)
  addCertListCommand(cert, session)
  addCertRemoveCommand(cert, session)
}
