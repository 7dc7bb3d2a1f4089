/** A word that comments, names and messages avoid, and the one to write. */
interface AvoidedWord {
  readonly avoid: RegExp
  readonly write: string
  /** Paths of files where the word is a term of another program, or part of a contract. */
  readonly except?: RegExp
}

/** The words of CONTRIBUTING's table that a program can find. */
export const avoidedWords: readonly AvoidedWord[] = [
  {
    avoid: /folder/gi,
    write: 'directory',
    except:
      /^proto\/wadi\/cmp_server\/v1\/command_service\.proto$|^libs\/gotemplate\/template\/v1alpha1\/|^services\/cmp-server\/src\/(?:commands\/command-server-fixture|routes\/run-script)\.ts$|^libs\/plugin-client\/src\/(?:open-commands(?:\.test)?|connection\/script-requests)\.ts$/,
  },
  // `memo` is React's.
  { avoid: /(?<![A-Za-z])memos?(?![a-z])|Memos?(?![a-z])/g, write: 'cache', except: /^clients\/web\// },
  { avoid: /(?<![a-z])stranger|Stranger/g, write: 'caller' },
  { avoid: /\b(?:a|the|each|every|next|last|first|one) looks?\b/gi, write: 'poll' },
  { avoid: /\banew\b/gi, write: 'again' },
  { avoid: /\ban own\b/gi, write: 'its own' },
]

/** The start of a doc comment that names a thing by a clause. */
export const clauseOpening = /\/\*\*\s*(?:\n\s*\*\s*)?(What|Whatever|Whether|Who|Whoever|Whom|Where|How)\b/g
