import { Anchor, type AnchorProps, Button, type ButtonProps, NavLink, type NavLinkProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes } from 'react'

type LinkProps<Props> = Props & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props>

/** A link to a page, within a text or a table. */
export const PageLink = createLink((props: LinkProps<AnchorProps>) => <Anchor {...props} />)

/** A link to a page that looks like a button. */
export const PageButton = createLink((props: LinkProps<ButtonProps>) => <Button component="a" {...props} />)

/** A link to a page in the navigation. */
export const PageNavLink = createLink((props: LinkProps<NavLinkProps>) => <NavLink {...props} />)
