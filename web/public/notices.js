// A notification of the worker (Android has no others) is clicked: to the tab, and there to the
// table.
self.addEventListener('notificationclick', (event) => {
  const { notification } = event;
  const address = new URL(notification.data ?? './', self.registration.scope);
  notification.close();
  event.waitUntil(
    self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then(async ([tab]) => {
      if (!tab) return self.clients.openWindow(address);
      await tab.focus();
      return tab.navigate(address); // only what is after the # differs
    }),
  );
});
