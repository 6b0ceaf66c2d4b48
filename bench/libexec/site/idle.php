<?php

declare(strict_types=1);

// A worker that answers this has ended the request before it.

echo 'idle';
