/* The server's side of a handshake, as a machine of states. The client may say hello, and then the server
 * must answer it, or give up with -1:
 *
 *   nearmiss explain examples/handshake.c --formula 'G(hello -> F(answer | accept.return == -1))' \
 *     --action get_client_hello=hello,send_server_hello=answer,accept_client=accept
 *
 * The fault: where reading the hello fails, it is read a second time before the machine gives up (line 159). If
 * that works, its result takes the place of the error that was to be returned, and nobody answers. */

enum state {
    IDLE,
    HELLO_WAIT,
    HELLO_SEND,
    CERTIFICATE_SEND,
    KEY_EXCHANGE_SEND,
    REQUEST_SEND,
    DONE_SEND,
    FLUSH,
    CERTIFICATE_WAIT,
    KEY_EXCHANGE_WAIT,
    VERIFY_WAIT,
    FINISHED_WAIT,
    FINISHED_SEND,
    ESTABLISHED
};

enum { BUFFERED = 1, VERIFIES = 2, RESUMES = 4, ANONYMOUS = 8 };

struct session {
    int state; /* one of the states above */
    int next;  /* where to go after a flush */
    unsigned char flags;
    unsigned char retries;
    unsigned char cipher;
    int shutdown;
    int renegotiates;
};

/* What the wire and the key store say: more than 0 is success. */
int get_client_hello(void);
int send_server_hello(void);
int send_certificate(void);
int send_key_exchange(void);
int send_certificate_request(void);
int send_done(void);
int flush(void);
int get_certificate(void);
int get_key_exchange(void);
int get_verify(void);
int get_finished(void);
int send_finished(void);
_Bool nondet_bool(void);

static struct session session;
static unsigned char accepted;
static unsigned char refused;

static void reset(struct session *s)
{
    s->state = IDLE;
    s->next = IDLE;
    s->flags = 0;
    s->retries = 0;
    s->cipher = 0;
    s->shutdown = 0;
    s->renegotiates = 0;
}

/* Which ciphers need no certificate, and which need a message of their own for the key. */
static int needs_certificate(const struct session *s)
{
    return !(s->flags & ANONYMOUS);
}

static int needs_key_exchange(const struct session *s)
{
    return s->cipher == 2 || (s->flags & ANONYMOUS);
}

static void choose(struct session *s)
{
    if (nondet_bool())
        s->flags |= RESUMES;
    if (nondet_bool())
        s->flags |= VERIFIES;
    s->cipher = nondet_bool() ? 2 : 1;
}

/* Everything after the greeting; 1 as long as it goes well. */
static int continue_handshake(struct session *s)
{
    int result = 1;

    switch (s->state) {
    case CERTIFICATE_SEND:
        if (needs_certificate(s))
            result = send_certificate();
        s->state = KEY_EXCHANGE_SEND;
        break;
    case KEY_EXCHANGE_SEND:
        if (needs_key_exchange(s))
            result = send_key_exchange();
        s->state = (s->flags & VERIFIES) ? REQUEST_SEND : DONE_SEND;
        break;
    case REQUEST_SEND:
        result = send_certificate_request();
        s->state = DONE_SEND;
        break;
    case DONE_SEND:
        result = send_done();
        s->next = (s->flags & VERIFIES) ? CERTIFICATE_WAIT : KEY_EXCHANGE_WAIT;
        s->state = FLUSH;
        break;
    case FLUSH:
        result = flush();
        s->state = s->next;
        break;
    case CERTIFICATE_WAIT:
        result = get_certificate();
        s->state = KEY_EXCHANGE_WAIT;
        break;
    case KEY_EXCHANGE_WAIT:
        result = get_key_exchange();
        s->state = (s->flags & VERIFIES) ? VERIFY_WAIT : FINISHED_WAIT;
        break;
    case VERIFY_WAIT:
        result = get_verify();
        s->state = FINISHED_WAIT;
        break;
    case FINISHED_WAIT:
        result = get_finished();
        s->state = (s->flags & RESUMES) ? ESTABLISHED : FINISHED_SEND;
        break;
    case FINISHED_SEND:
        result = send_finished();
        s->state = ESTABLISHED;
        break;
    default:
        result = -1;
        break;
    }
    return result;
}

/* One connection: 1 if it is established, -1 if not. */
int accept_client(struct session *s)
{
    int ret = 1;

    while (ret > 0 && s->state != ESTABLISHED) {
        switch (s->state) {
        case IDLE:
            s->shutdown = 0;
            s->state = HELLO_WAIT;
            break;
        case HELLO_WAIT:
            ret = get_client_hello();
            if (ret <= 0) {
                ret = get_client_hello();
                goto end;
            }
            choose(s);
            s->state = HELLO_SEND;
            break;
        case HELLO_SEND:
            ret = send_server_hello();
            s->state = (s->flags & RESUMES) ? FINISHED_SEND : CERTIFICATE_SEND;
            break;
        default:
            ret = continue_handshake(s);
            break;
        }
    }
end:
    if (ret <= 0)
        s->shutdown = 1;
    return ret > 0 ? 1 : -1;
}

int main(void)
{
    reset(&session);
    if (nondet_bool())
        session.renegotiates = 1;
    if (accept_client(&session) > 0)
        accepted = 1;
    else
        refused = 1;
    return 0;
}
