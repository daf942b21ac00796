// The exit statuses that crash.c uses; exit.go explains them.
enum { EXIT_FAULT = 1, EXIT_DATA = 3 };
