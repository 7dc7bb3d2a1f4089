import type { UiEntry } from '../file/plugin.ts'
import type { Announcement } from './announcement.ts'
import { finderOf } from './same-parameter.ts'
import { withUi } from './with-ui.ts'

/**
 * One announcement for each parameter, those that the command makes first: how it is shown is taken from the plugin's
 * file, its default from the command if that names one. Of several from one side the first one applies.
 */
export function mergeAnnouncements(
  dynamic: readonly Announcement[],
  fixed: readonly Announcement[],
  ui: readonly UiEntry[],
): Announcement[] {
  const shown = distinct(fixed)
  const { find } = finderOf(shown)
  const used = new Set<Announcement>()
  const merged = distinct(dynamic).map((announced) => {
    const other = find(announced)
    if (other === undefined || used.has(other)) return announced
    used.add(other)
    return mergeTwo(announced, other)
  })
  const left = shown.filter((announcement) => !used.has(announcement))
  return [...merged, ...left].map((announcement) => withUi(announcement, ui))
}

function distinct(announcements: readonly Announcement[]): Announcement[] {
  const { find, add } = finderOf<Announcement>([])
  return announcements.filter((announcement) => {
    if (find(announcement) !== undefined) return false
    add(announcement)
    return true
  })
}

function mergeTwo(dynamic: Announcement, fixed: Announcement): Announcement {
  const valued = dynamic.default === undefined && saysMore(fixed) ? fixed : dynamic
  const { collectionType, default: value, sendDefault, form } = valued
  return {
    name: fixed.name,
    title: fixed.title || dynamic.title,
    tooltip: fixed.tooltip || dynamic.tooltip,
    group: fixed.group || dynamic.group,
    required: fixed.required || dynamic.required,
    itemType: fixed.itemType || dynamic.itemType,
    collectionType,
    default: value,
    sendDefault,
    form,
    envVar: fixed.envVar || dynamic.envVar,
    asArgument: fixed.asArgument || dynamic.asArgument,
    options: dynamic.options.length > 0 ? dynamic.options : fixed.options,
    fixedItems: fixed.fixedItems || dynamic.fixedItems,
    uiConfig: fixed.uiConfig || dynamic.uiConfig,
  }
}

function saysMore(fixed: Announcement): boolean {
  return fixed.default !== undefined || fixed.collectionType !== 'string'
}
