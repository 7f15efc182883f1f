// Staff sign in on a device that a patient uses as well: what it keeps of the patient to be read without a network goes, as when
// another patient signs in. What was typed there is sealed and stays.
async function letPatientsGo() {
  for (const name of await caches.keys()) if (/^(own|sounds) /.test(name)) await caches.delete(name)
  if (!(await indexedDB.databases()).some(({ name }) => name === "intersession")) return
  const request = indexedDB.open("intersession")
  // It has gone since: it is not made anew.
  request.onupgradeneeded = () => request.transaction?.abort()
  request.onsuccess = () => {
    const clearing = request.result.transaction("plans", "readwrite")
    clearing.objectStore("plans").clear()
    clearing.oncomplete = () => request.result.close()
  }
}
// Neither is there without a safe connection, and nothing is kept then.
if (window.caches && indexedDB.databases) letPatientsGo().catch(() => {})
