/* One process, many threads, each running requests of one PHP script, as FrankenPHP does: threads SCRIPT THREADS REQUESTS
 *
 * The script returns how many decisions allowed it to go on. When all threads have ended, prints the sum and how many
 * requests failed, and waits for the end of its input, so that what the threads left behind can be looked at.
 */
#include <sapi/embed/php_embed.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ZTS
#error "This PHP is not thread-safe"
#endif

#define MOST_THREADS 64

static const char *script;
static int requests;
static atomic_long allowed;
static atomic_int failed;

/* Returns what the script returned, or -1. */
static zend_long run_request(void)
{
    zend_long result = -1;

    SG(options) |= SAPI_OPTION_NO_CHDIR;
    if (php_request_startup() == FAILURE) {
        return -1;
    }
    SG(headers_sent) = 1;
    SG(request_info).no_headers = 1;
    zend_first_try {
        zend_file_handle file;
        zval returned;

        ZVAL_UNDEF(&returned);
        zend_stream_init_filename(&file, script);
        if (zend_execute_scripts(ZEND_REQUIRE, &returned, 1, &file) == SUCCESS && Z_TYPE(returned) == IS_LONG) {
            result = Z_LVAL(returned);
        }
        zval_ptr_dtor(&returned);
        zend_destroy_file_handle(&file);
    } zend_end_try();
    php_request_shutdown(NULL);
    return result;
}

static void *run_requests(void *unused)
{
    (void) unused;
    /* Makes this thread's copy of the engine's globals, and those of every extension. */
    ts_resource(0);
    for (int i = 0; i < requests; i++) {
        zend_long result = run_request();
        if (result < 0) {
            failed++;
        } else {
            allowed += result;
        }
    }
    ts_free_thread();
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST_THREADS];
    int count = argc == 4 ? atoi(argv[2]) : 0;

    if (count < 1 || count > MOST_THREADS) {
        fprintf(stderr, "usage: threads SCRIPT THREADS REQUESTS, at most %d threads\n", MOST_THREADS);
        return 2;
    }
    script = argv[1];
    requests = atoi(argv[3]);

    /* Starts the engine, and a request of this thread's own that nobody needs. */
    if (php_embed_init(argc, argv) == FAILURE) {
        return 2;
    }
    php_request_shutdown(NULL);

    for (int i = 0; i < count; i++) {
        pthread_create(&threads[i], NULL, run_requests, NULL);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
    printf("allowed %ld, failed %d\n", (long) allowed, (int) failed);
    fflush(stdout);
    while (getchar() != EOF) {
    }

    /* Shutting down ends a request too. */
    php_request_startup();
    php_embed_shutdown();
    return failed ? 1 : 0;
}
