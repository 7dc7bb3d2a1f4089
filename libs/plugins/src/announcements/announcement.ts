import type { ParameterValue } from '../parameters/parameter.ts'

/** A parameter that a plugin says it takes, in the one form that every shape of announcement is brought to. */
export interface Announcement {
  /** Never empty. */
  readonly name: string
  readonly title: string
  readonly tooltip: string
  /** `''` is the main group. */
  readonly group: string
  readonly required: boolean
  /** `''`, `string`, `number` and `boolean` are known; others are hints to user interfaces (`enum`, `image`, `multiline-string`). `''` means text. */
  readonly itemType: string
  readonly collectionType: 'string' | 'array' | 'map'
  /** Its kind is that of `collectionType`; undefined when none is announced, which an empty value is not. */
  readonly default: ParameterValue | undefined
  /** True if the plugin gets the default when nothing is set: in the proposal's `defaultValues` form, not in Argo CD's. */
  readonly sendDefault: boolean
  /** The shape that it was written in: Argo CD's flat one, the proposal's `defaultValues` list or its typed values. */
  readonly form: 'flat' | 'list' | 'typed'
  /** The plugin also gets the value as `ARGOCD_PARAM_<envVar>`; `''` for no such variable. */
  readonly envVar: string
  /** True if a value becomes an argument `--<name>=<value>` of the command that generates. */
  readonly asArgument: boolean
  /** Values to choose from: the only ones for the itemType `enum`, suggestions otherwise. */
  readonly options: readonly string[]
  /** True if users may not add items to the announced ones. */
  readonly fixedItems: boolean
  /** The plugin's data for user interfaces, passed on as it is. */
  readonly uiConfig: string
}

/** The value of an announcement, and its type. */
export type AnnouncedDefault = Pick<
  Announcement,
  'form' | 'itemType' | 'collectionType' | 'default' | 'sendDefault'
>
