// The start page in parts, and where each stands in it (Part.svelte).
import type { ComponentProps } from 'svelte';
import OptionsBar from '../../ui/OptionsBar.svelte';
import Dialogs from './Dialogs.svelte';
import Fan from './Fan.svelte';
import Foot from './Foot.svelte';
import Form from './Form.svelte';
import Lead from './Lead.svelte';
import Tiles from './Tiles.svelte';

export const PARTS = {
  head: OptionsBar,
  fan: Fan,
  lead: Lead,
  form: Form,
  tiles: Tiles,
  foot: Foot,
  dialogs: Dialogs,
};
export type Name = keyof typeof PARTS;
export type Props<N extends Name> = ComponentProps<(typeof PARTS)[N]>;

// Which dialog is open.
export interface Opened {
  wishes: boolean;
  local: boolean;
  about: boolean;
}
