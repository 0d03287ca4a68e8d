declare module 'virtual:text/*' {
  const messages: import('./text.svelte').Catalogue;
  export default messages;
}

declare module 'virtual:sprite' {
  const markup: string;
  export default markup;
}
