// Starts the API reference. A file of its own, because pages run no script that stands in them.
window.addEventListener("load", () => {
  window.Redoc.init(
    "/openapi.json",
    { hideDownloadButton: false, nativeScrollbars: true, disableSearch: false },
    document.getElementById("reference"),
  );
});
