import type { Command } from 'commander'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { addCertAddSshCommand } from './cert-add-ssh.ts'
import { addCertAddTlsCommand } from './cert-add-tls.ts'
import { addCertListCommand } from './cert-list.ts'
import { addCertRemoveCommand } from './cert-rm.ts'

/** Defines the sub-commands of `cert`. */
export function defineCertCommands(cert: Command, session: CommandSession): void {
  showExamples(cert, 'wadi cert add-tls git.example.com --from ca.pem', 'wadi cert list')
  cert.addHelpText(
    'after',
    '\nThey are in the ConfigMaps argocd-tls-certs-cm and argocd-ssh-known-hosts-cm. What the Secret of a repository says takes precedence.',
  )
  addCertAddTlsCommand(cert, session)
  addCertAddSshCommand(cert, session)
  addCertListCommand(cert, session)
  addCertRemoveCommand(cert, session)
}
