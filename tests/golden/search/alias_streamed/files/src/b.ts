let Beta = 1;
let beta = beta;
