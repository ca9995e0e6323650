// The service worker: keeps the page's files, so that it opens without a network too. It asks the
// server first, so that a newer page is seen at once, and answers requests for these files alone.
"use strict";

const kept = "flexslice";
const files = ["./", "page.css", "page.js", "examples.js", "worker.js", "engine.js"].map((name) => new URL(name, self.location).href);

// The name under which a request's answer is kept; nothing for what the page does not consist of.
function nameOf(request) {
  const url = new URL(request.url);
  const name = url.origin + url.pathname.replace(/\/index\.html$/, "/");
  return request.method === "GET" && files.includes(name) ? name : null;
}

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(kept).then((cache) => cache.addAll(files)));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const name = nameOf(event.request);
  if (name) event.respondWith(answered(event.request, name));
});

async function answered(request, name) {
  const cache = await caches.open(kept);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(name, answer.clone());
    return answer.ok ? answer : (await cache.match(name)) ?? answer;
  } catch (error) {
    const old = await cache.match(name);
    if (old) return old;
    throw error;
  }
}
