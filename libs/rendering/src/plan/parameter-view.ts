import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { ParameterTree } from '@wadi/params/explain/explain.ts'
import type { ParameterChanges } from '../parameters/edit/assign-options.ts'
import type { ParameterEdit } from '../parameters/edit/option-edit.ts'
import type { ParameterMessage, ParameterSectionMessage } from '../parameters/describe/parameter-message.ts'
import type { ChangedFile } from '../parameters/stored-values/edit-documents.ts'
import type { RenderSource } from '../source/source.ts'
import type { InspectedOptions } from '../source/inspected-options.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'

/** A source whose parameters are asked for. */
interface ParameterQuestion {
  /** That of the inspection. */
  readonly tree: FileTree
  readonly inspection: InspectedOptions
  readonly signal: AbortSignal | undefined
}

/** The parameters of a source, and their set values. */
export interface ParameterList {
  /** The plugin that announces them; without one no plugin does. */
  readonly plugin?: string
  readonly parameters: ParameterMessage[]
  /** Objects and lists among them that are explained. */
  readonly sections?: ParameterSectionMessage[]
  /** Warnings that belong to no single parameter. */
  readonly warnings: string[]
}

/** Files that hold the values themselves, before and after; at least one. */
interface FileEdit {
  readonly files: readonly ChangedFile[]
}

/** The parameters of a plan as users see them. */
export interface ParameterView {
  /** @throws InvalidInputError for a file that cannot be read, and what plugins throw */
  describe(question: ParameterQuestion & { readonly source: RenderSource }): Promise<ParameterList>
  /** @throws InvalidInputError for a target or value that is not taken, NotFoundError for removing what is not set */
  edit(question: ParameterQuestion, changes: ParameterChanges): Promise<ParameterEdit | FileEdit>
  /**
   * Every value that decides the source.
   * @throws InvalidInputError for values that cannot be read, and what a plugin throws that is asked for its parameters
   */
  explain(question: ParameterQuestion): Promise<readonly ParameterTree[]>
  /** The same for the record of a render: no plugin is asked, and defaults are read only where something is set over them. */
  decided(question: ParameterQuestion): Promise<readonly ParameterTree[]>
  /** Returns possible mistakes among the parameters that are set, each a sentence; none without it. */
  doubts?(question: ParameterQuestion): Promise<readonly string[]>
}

/** The view of a plan that has no parameters. */
export const noParameters: ParameterView = {
  describe: async () => ({ parameters: [], warnings: [] }),
  edit: async ({ inspection: { path } }) => {
    throw new InvalidInputError(`source "${path || '.'}" takes no parameters`)
  },
  explain: async () => [],
  decided: async () => [],
}
